import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Order } from '../../api/types';
import { haptics } from '../../telegram';
import { Button } from '../../ui/Button';
import { CopyRow } from '../../ui/CopyRow';
import { cx } from '../../ui/cx';
import flex from '../../ui/flex.module.css';
import { List } from '../../ui/List';
import { QrCode } from '../../ui/QrCode';
import text from '../../ui/text.module.css';
import { addressIn } from './link';
import styles from './OtherWays.module.css';

/** Paying from another device, by its camera or by hand. The comment is what the payment is recognised by. */
export function OtherWays({ order }: { order: Order }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const address = addressIn(order.paymentLink);
  return (
    <section className={cx(flex.column, flex.roomy)}>
      <Button
        variant="tertiary"
        width="full"
        onPress={() => {
          haptics.select();
          setOpen(!open);
        }}
      >
        {t(open ? 'order.fewer' : 'order.other')}
      </Button>
      {open && (
        <div ref={reveal} className={cx(flex.column, flex.roomy)}>
          <QrCode url={order.paymentLink} label={t('order.qr')} className={styles.qr} />
          <p className={text.sub}>{t('order.by_hand')}</p>
          <List raised className={styles.facts}>
            <CopyRow label={t('order.comment')} value={order.comment} />
            <CopyRow label={t('order.amount')} value={String(order.ton_amount)} />
            {address !== null && <CopyRow label={t('order.address')} value={address} />}
          </List>
        </div>
      )}
    </section>
  );
}

/** On a small phone they open below the fold, so they are scrolled into view. */
function reveal(ways: HTMLElement | null) {
  ways?.scrollIntoView({ block: 'start' });
}
