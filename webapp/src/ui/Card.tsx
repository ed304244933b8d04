import type { ReactNode } from 'react';
import styles from './Card.module.css';
import { cx } from './cx';

export function Card({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return <section className={cx(styles.card, className)}>{children}</section>;
}
