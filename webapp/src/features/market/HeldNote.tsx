import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../app/RootContext';
import { splitNumber } from '../../ui/figures';
import { Icon } from '../../ui/Icon';
import type { ServerWallet } from '../wallet/ServerWallet';
import styles from './HeldNote.module.css';

/** Warns before a payment that the connected wallet cannot make: the amount, and at least something for sending it. */
export const HeldNote = observer(function HeldNote({
  wallet,
  ton,
}: {
  wallet: ServerWallet;
  ton: number | null;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const held = wallet.held;
  if (ton === null || held === null || held > ton) return null;
  const { integer, decimals } = splitNumber(held, 2, language, true);
  return (
    <p role="status" className={styles.note}>
      <Icon name="warning" size={18} />
      {t('order.wallet_holds', { ton: integer + decimals })}
    </p>
  );
});
