export { Mine } from './Mine';
export { Miners } from './Miners';
export { Rules } from './Rules';
