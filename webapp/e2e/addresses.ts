// Fixed, and away from those of `make run`, which may be playing beside the tests.
export const sandbox = 'localhost:18090';
export const app = 'localhost:18080';
export const ops = 'localhost:19090';

export const sandboxUrl = `http://${sandbox}`;
export const appUrl = `http://${app}`;
