// Elements are made by hand and every text becomes a text node: nothing a bot
// or a player writes is ever read as markup.

/** h makes an element; on… are listeners, class and aria-… attributes. */
export function h(tag, props = {}, ...children) {
  const el = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) el.addEventListener(key.slice(2), value);
    else if (value === true) el.setAttribute(key, '');
    else el.setAttribute(key, value);
  }
  el.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return el;
}

const paths = {
  close: 'M6 6l12 12M18 6L6 18',
  back: 'M15 5l-7 7 7 7',
  down: 'M5 9l7 7 7-7',
  more: 'M12 5.5v.01M12 12v.01M12 18.5v.01',
  list: 'M4 7h16M4 12h16M4 17h16',
  play: 'M7 4.5v15l12-7.5z',
  star: 'M12 2.5l2.9 6.300 6.900.8-5.100 4.700 1.400 6.800-6.100-3.400-6.100 3.400 1.400-6.800-5.100-4.700 6.900-.8z',
  reply: 'M10 8V4l-7 7 7 7v-4c5 0 8 1.500 11 5-1-6-4-11-11-11z',
  out: 'M8 16L18 6M9 6h9v9',
  window: 'M4 5h16v14H4zM4 10h16',
};

/** icon draws one of a handful of line icons. */
export function icon(name) {
  const ns = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(ns, 'svg');
  const solid = name === 'send' || name === 'play' || name === 'star';
  for (const [k, v] of Object.entries({
    viewBox: name === 'read' ? '0 0 17 11' : '0 0 24 24',
    fill: solid ? 'currentColor' : 'none',
    stroke: solid ? 'none' : 'currentColor',
    'stroke-width': name === 'more' ? 3 : name === 'read' ? 1.6 : 2,
    'stroke-linecap': 'round', 'stroke-linejoin': 'round', 'aria-hidden': 'true',
  })) svg.setAttribute(k, v);
  const path = document.createElementNS(ns, 'path');
  path.setAttribute('d', {
    send: 'M3.400 20.400l17.900-7.700c.7-.3.7-1.200 0-1.500L3.400 3.600c-.6-.2-1.200.2-1.200.8v5.200c0 .5.400.9.9 1L15 12 3.100 13.400c-.5.1-.9.5-.9 1v5.200c0 .6.600 1 1.200.8z',
    read: 'M1 6l3 3.500 6.500-8M7.500 8.500l1 1 6.500-8',
    ...paths,
  }[name]);
  svg.append(path);
  if (name === 'star') svg.setAttribute('class', 'star');
  return svg;
}

/** replace gives el new children. */
export function replace(el, ...children) {
  el.replaceChildren(...children.flat(Infinity).filter(Boolean));
}
