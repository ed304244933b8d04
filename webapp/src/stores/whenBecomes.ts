import { type IReactionDisposer, reaction } from 'mobx';

/** Acts each time the condition becomes true; with `fireImmediately` also where it is true already. */
export function whenBecomes(
  condition: () => boolean,
  act: () => void,
  options?: { fireImmediately: true },
): IReactionDisposer {
  return reaction(
    condition,
    (is) => {
      if (is) act();
    },
    options,
  );
}
