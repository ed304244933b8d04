import { observable, runInAction } from 'mobx';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRoot } from '../../app/RootContext';
import ton from '../../art/ton.svg';
import { Button } from '../../ui/Button';
import { useLazyModule } from '../../ui/useLazyModule';

/** TON Connect's button; a plain one until its code has loaded. */
export const WalletButton = observer(function WalletButton() {
  const root = useRoot();
  const { t } = useTranslation();
  const [code] = useLazyModule(root.loadTrade, true);
  const connection = code.is === 'here' ? code.part.connection : null;
  useEffect(() => connection?.load(), [connection]);
  const isLatest = useIsLatest();
  if (connection?.app && isLatest) return <connection.app.Button />;
  return (
    <Button
      variant="tertiary"
      tone="ton"
      height={40}
      radius={100}
      art={ton}
      loading={connection?.isKept() ?? false}
      onPress={() => void root.connectWallet()}
    >
      {t('wallet.connect')}
    </Button>
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
