import { type CSSProperties, useState } from 'react';
import styles from './Avatar.module.css';
import { firstVisible } from './useVisibleName';

const colours = 6;

type Props = {
  /** The player's id gives the colour behind the initial, the same on every screen. */
  id: number | string;
  name: string;
  photo?: string | null | undefined;
  /** Pixels. Without it the size is what a style sheet gives the avatar, or what is around it, as `--avatar`; else 40. */
  size?: number;
};

/** A player's photo, or the first letter of the name when there is none or it cannot be loaded. */
export function Avatar({ id, name, photo, size }: Props) {
  const [broken, setBroken] = useState<string>();
  const style = {
    '--bg': `var(--c-ava-${colourOf(id)})`,
    ...(size !== undefined && { '--avatar': `${size}px` }),
  } as CSSProperties;
  return (
    <span aria-hidden="true" className={styles.avatar} style={style}>
      {photo && broken !== photo ? (
        <img src={photo} alt="" onError={() => setBroken(photo)} />
      ) : (
        (firstVisible(name) ?? '#').toLocaleUpperCase()
      )}
    </span>
  );
}

export function colourOf(id: number | string): number {
  let sum = 0;
  for (const char of String(id)) sum = (sum * 31 + char.charCodeAt(0)) % 9973;
  return sum % colours;
}
