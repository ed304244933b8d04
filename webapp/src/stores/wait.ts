/** `yield* wait(promise)` inside a MobX flow: the value keeps its type, and the steps after it stay one action. */
export function* wait<T>(promise: Promise<T>): Generator<Promise<T>, T, T> {
  return yield promise;
}
