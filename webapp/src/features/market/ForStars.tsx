import { Amount } from '../../ui/Amount';
import styles from './ForStars.module.css';
import type { Stars } from './stars';

/** A button's words with what it costs after them: "Buy for ★ 500". */
export function ForStars({ words, stars }: { words: string; stars: Stars }) {
  return (
    <span className={styles.words}>
      {words}
      <Amount asset="star" value={stars} className={styles.stars} />
    </span>
  );
}
