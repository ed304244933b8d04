/** The global of an ad network's script (Adsgram's, or one with its interface). */
export type AdNetwork = { init(unit: { blockId: string }): { show(): Promise<unknown> } };

declare global {
  interface Window {
    Adsgram?: AdNetwork;
  }
}

/** The timeout of loading a script, milliseconds. */
const scriptTimeoutMs = 10_000;

/**
 * Fetches the network's script the first time an ad is wanted. One that did not come is fetched again the next time. The
 * network is there a frame later: the modal under the ad takes the focus in a frame, and would take it from the ad.
 */
export async function fetchNetwork(url: string): Promise<AdNetwork> {
  const network = window.Adsgram ?? (await fetchScript(url));
  await new Promise(requestAnimationFrame);
  return network;
}

function fetchScript(url: string): Promise<AdNetwork> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const settle = () => {
      clearTimeout(timer);
      if (window.Adsgram) return resolve(window.Adsgram);
      script.remove();
      reject(new Error('the ad network is not there'));
    };
    const timer = setTimeout(settle, scriptTimeoutMs);
    script.onload = settle;
    script.onerror = settle;
    script.async = true;
    script.src = url;
    document.head.append(script);
  });
}

/** How an ad ended: seen to its end, closed before, or there was none to see. */
export type AdResult = 'watched' | 'closed' | 'absent';

/** Shows one ad. It never rejects: whatever the network does wrong is an ad that was not there. */
export async function show(network: AdNetwork, blockId: string): Promise<AdResult> {
  try {
    const end = await network.init({ blockId }).show();
    return parseResult(end).done === true ? 'watched' : 'closed';
  } catch (refusal) {
    // A skipped ad rejects, too, but not with an error.
    return parseResult(refusal).error === false ? 'closed' : 'absent';
  }
}

function parseResult(word: unknown): { done?: unknown; error?: unknown } {
  return typeof word === 'object' && word !== null ? word : {};
}
