import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { GameSheet } from '../../app/GameSheet';
import { useRoot } from '../../app/RootContext';
import ton from '../../art/ton.svg';
import { shortAddress } from '../../format';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { List, ListRow, RowIcon } from '../../ui/List';
import { useTrade } from '../market/Trade';
import styles from './Manage.module.css';

/** Spec §2: the panel of the connected wallet. */
export const Manage = observer(function Manage() {
  const root = useRoot();
  const { modals, user } = root;
  const { connection, wallet, market } = useTrade();
  const { t } = useTranslation();
  // While it leaves, the drawer shows its last content.
  const [last, setLast] = useState(wallet.address);
  if (wallet.address !== null && wallet.address !== last) setLast(wallet.address);
  // If the device refuses to copy, the address is shown for selection.
  const [plain, setPlain] = useState(false);
  const copy = async () => {
    if (wallet.address !== null) setPlain(!(await root.copy(wallet.address, 'toast.address_copied')));
  };
  const reconnect = () => {
    modals.closeSheet(); // an open drawer would keep the focus from the wallet's window
    void connection.connect();
  };
  const busy = wallet.saving || connection.step !== 'idle';
  const proven = user.user?.wallet_proven ?? false;
  return (
    <GameSheet name="wallet" title={t('nav.wallet')} className={styles.manage}>
      <List raised>
        <ListRow
          lead={<RowIcon art={ton} />}
          title={last && shortAddress(last)}
          note={market.walletApp}
          end={<Badge tone="moss">{t('wallet.active')}</Badge>}
        />
      </List>
      <Button variant="secondary" width="full" icon="copy" onPress={() => void copy()}>
        {t('wallet.copy')}
      </Button>
      {plain && <p className={styles.plain}>{wallet.address}</p>}
      {wallet.address !== null && !proven && (
        <>
          <p className={styles.unproven}>{t('wallet.unproven')}</p>
          <Button variant="secondary" width="full" disabled={busy} onPress={reconnect}>
            {t('wallet.again')}
          </Button>
        </>
      )}
      <Button variant="danger" width="full" loading={busy} onPress={() => void wallet.disconnect()}>
        {t('wallet.disconnect')}
      </Button>
    </GameSheet>
  );
});
