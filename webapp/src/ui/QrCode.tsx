import coin from '../art/coin.svg';
import { cx } from './cx';
import styles from './QrCode.module.css';
import { qr } from './qr';

/** Modules of empty border that scanners need to find the code. */
const quiet = 2;

type Props = {
  url: string;
  label: string;
  /** Gives the size. */
  className?: string | undefined;
};

/** A QR code, dark on light whatever the theme. */
export function QrCode({ url, label, className }: Props) {
  const { size, path, clearing } = qr(url);
  const side = size + 2 * quiet;
  const middle = (size - clearing) / 2 + 0.2;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-quiet} ${-quiet} ${side} ${side}`}
      shapeRendering="crispEdges"
      className={cx(styles.qr, className)}
    >
      <path d={path} className={styles.dark} />
      <image href={coin} x={middle} y={middle} width={clearing - 0.4} height={clearing - 0.4} />
    </svg>
  );
}
