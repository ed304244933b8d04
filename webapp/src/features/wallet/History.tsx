import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Transaction, TransactionFilter } from '../../api/types';
import { GameSheet } from '../../app/GameSheet';
import { useRoot } from '../../app/RootContext';
import chest from '../../art/chest.svg';
import { Empty } from '../../ui/Empty';
import { InfiniteList } from '../../ui/InfiniteList';
import { Tabs } from '../../ui/Tabs';
import { useTrade } from '../market/Trade';
import { TransactionRow } from './TransactionRow';

const tabs = [
  { id: 'all', text: 'wallet.all' },
  { id: 'purchases', text: 'common.mcbk' },
  { id: 'referrals', text: 'wallet.referral' },
] as const satisfies readonly { id: TransactionFilter; text: string }[];

/** Spec §2: what came and went. */
export const History = observer(function History() {
  const root = useRoot();
  const { modals } = root;
  const { history } = useTrade();
  const { t } = useTranslation();
  const open = modals.sheet === 'history';
  const box = useRef<HTMLDivElement>(null);
  const [height, setMinHeight] = useState(0);
  useEffect(() => {
    if (!open) return;
    setMinHeight(0);
    history.refresh();
  }, [open, history]);
  return (
    <GameSheet name="history" title={t('wallet.transactions')}>
      {/* A tab with fewer rows does not make the drawer jump. */}
      <div ref={box} style={{ minHeight: height }}>
        <Tabs
          label={t('wallet.transactions')}
          tabs={tabs.map((tab) => ({ id: tab.id, text: t(tab.text) }))}
          value={history.tab}
          onChange={(tab) => {
            setMinHeight(box.current?.offsetHeight ?? 0);
            history.choose(tab);
          }}
        >
          <Rows key={history.tab} />
        </Tabs>
      </div>
    </GameSheet>
  );
});

const Rows = observer(function Rows() {
  const { history } = useTrade();
  const { t } = useTranslation();
  const pages = history.shown;
  return (
    <InfiniteList
      raised
      label={t('wallet.transactions')}
      {...pages.shown}
      row={transactionRow}
      empty={<Empty art={chest} title={t('wallet.none')} />}
    />
  );
});

const transactionRow = (one: Transaction) => <TransactionRow one={one} />;
