import { useEffect, useRef } from 'react';
import drawing from '../../art/chest-open.svg?raw';
import coin from '../../art/coin.svg';
import star from '../../art/points.svg';
import { cx } from '../../ui/cx';
import { scatter } from '../../ui/scatter';
import styles from './ChestOpening.module.css';

/** How many pieces fly out, and when, milliseconds. */
const pieces = 22;
const lidUp = 600;

/** The chest on the upper edge of the modal: it shakes and opens, and pieces fly out. */
export function ChestOpening({ still }: { still: boolean }) {
  const chest = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = chest.current;
    if (!box) return;
    const { documentElement } = new DOMParser().parseFromString(drawing, 'image/svg+xml');
    documentElement.setAttribute('aria-hidden', 'true');
    box.replaceChildren(documentElement);
    if (!still) scatter(box, [coin, coin, star], pieces, lidUp);
  }, [still]);
  return <div ref={chest} className={cx(styles.chest, !still && styles.opening)} />;
}
