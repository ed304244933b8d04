import first from '../art/1st-place-medal.svg';
import second from '../art/2nd-place-medal.svg';
import third from '../art/3rd-place-medal.svg';

/** Of the first three places. */
export const medals: readonly string[] = [first, second, third];
