import { useTranslation } from 'react-i18next';
import bag from '../../art/money-bag.svg';
import { cx } from '../../ui/cx';
import flex from '../../ui/flex.module.css';
import { QrCode } from '../../ui/QrCode';
import text from '../../ui/text.module.css';
import styles from './DesktopNotice.module.css';

type Props = {
  /** Opens the game in Telegram; on the phone that scans it. */
  url: string;
};

/** What a computer shows in place of the game. */
export function DesktopNotice({ url }: Props) {
  const { t } = useTranslation();
  return (
    <main className={styles.screen}>
      <section className={styles.card}>
        <div className={styles.words}>
          <img src={bag} alt="" width={200} height={200} className={styles.bag} />
          <h1 className={styles.title}>{t('desktop.title')}</h1>
          <p className={styles.text}>{t('desktop.text')}</p>
        </div>
        <div className={cx(flex.column, flex.roomy, styles.side)}>
          <QrCode url={url} label={t('desktop.qr')} className={styles.qr} />
          <p className={text.sub}>{t('desktop.scan')}</p>
        </div>
      </section>
    </main>
  );
}
