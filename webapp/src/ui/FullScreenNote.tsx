import { type ReactNode, useState } from 'react';
import { cx } from './cx';
import styles from './FullScreenNote.module.css';
import flex from './flex.module.css';
import { Screen } from './Screen';
import text from './text.module.css';

type Props = {
  art: string;
  title: string;
  text: string;
  /** The request's id, for support. */
  code?: string;
  /** It stands above the tab bar. */
  tabBar?: boolean;
  /** Buttons, the one to press first. */
  children?: ReactNode;
};

/**
 * A full-screen message: maintenance, no network, a feature that is not open yet. Without a network its picture may fail to
 * load, and is left out.
 */
export function FullScreenNote({ art, title, text: words, code, tabBar = false, children }: Props) {
  const [broken, setBroken] = useState<string>();
  return (
    <Screen noTabBar={!tabBar} className={styles.note}>
      {broken !== art && <img src={art} alt="" width={148} height={148} onError={() => setBroken(art)} />}
      <h1 className={cx(text.title, text.center)}>{title}</h1>
      <p>{words}</p>
      {code && <p className={text.sub}>{code}</p>}
      {children && <div className={cx(flex.column, styles.actions)}>{children}</div>}
    </Screen>
  );
}
