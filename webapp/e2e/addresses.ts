// Away from those of `make run`, which may be playing beside the tests. E2E_PORT moves them for a second run at once.
const port = Number(process.env.E2E_PORT ?? 18080);

export const app = `localhost:${port}`;
export const sandbox = `localhost:${port + 10}`;
export const galleryPort = port + 20;
export const ops = `localhost:${port + 1010}`;

export const sandboxUrl = `http://${sandbox}`;
export const galleryUrl = `http://localhost:${galleryPort}/gallery.html`;
export const appUrl = `http://${app}`;
