// A phone on a page of its own: /phone/<id>, for tests and real devices.
// ?start=CODE opens a start link, ?startapp=CODE the game by a direct link.
import { get } from './api.js';
import { Phone } from './phone.js';

const id = Number(location.pathname.split('/').pop());
localStorage.setItem('player', id); // whose wallet a link opens: before anything is waited for
const query = new URLSearchParams(location.search);
const phone = new Phone(document.getElementById('phone'), id, await get('info'));
window.__phone = phone;
await phone.ready;
if (query.has('startapp')) phone.launch({ direct: '1', start_param: query.get('startapp') });
else if (query.has('start')) phone.promptStart(query.get('start'));
