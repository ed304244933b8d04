import { observable, runInAction } from 'mobx';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRoot } from '../../app/RootContext';
import ton from '../../art/ton.svg';
import { Spinner } from '../../ui/Spinner';
import { useTrade } from '../market/Trade';
import styles from './WalletButton.module.css';

/** TON Connect's button; a plain one until its code has loaded. */
export const WalletButton = observer(function WalletButton() {
  const root = useRoot();
  const { t } = useTranslation();
  const { connection } = useTrade();
  useEffect(() => connection.load(), [connection]);
  const isLatest = useIsLatest();
  if (connection.app && isLatest) return <connection.app.Button />;
  const isRestoring = connection.isKept();
  return (
    <button
      type="button"
      className={styles.plain}
      disabled={isRestoring}
      aria-label={t('wallet.connect')}
      aria-busy={isRestoring}
      onClick={() => void root.connectWallet()}
    >
      {isRestoring ? (
        <Spinner />
      ) : (
        <>
          <img src={ton} alt="" width={18} height={18} />
          {t('wallet.connect')}
        </>
      )}
    </button>
  );
});

const rendered = observable.array<symbol>();

/** The library renders only one button: of a screen and a drawer over it, the drawer's. */
function useIsLatest(): boolean {
  const [id] = useState(() => Symbol());
  useEffect(() => {
    runInAction(() => rendered.push(id));
    return () => runInAction(() => void rendered.remove(id));
  }, [id]);
  return rendered.at(-1) === id;
}
