import { observer } from 'mobx-react-lite';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import star from '../../art/star.svg';
import ton from '../../art/ton.svg';
import { Tabs } from '../../ui/Tabs';
import type { MarketStore } from './MarketStore';

const ways = {
  TON: { text: 'common.ton', art: ton },
  XTR: { text: 'common.stars', art: star },
} as const;

/** The choice between TON and Stars over what depends on it; with one of them alone there is none. */
export const PayWith = observer(function PayWith({
  market,
  children,
}: {
  market: MarketStore | null;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  if (!market || market.currencies.length < 2) return children;
  return (
    <Tabs
      label={t('market.pay_with')}
      tabs={market.currencies.map((id) => ({ id, text: t(ways[id].text), art: ways[id].art }))}
      value={market.currency}
      onChange={(currency) => market.payWith(currency)}
    >
      {children}
    </Tabs>
  );
});
