import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import type { MineResult } from '../../api/types';
import { useLanguage, useRoot } from '../../app/RootContext';
import trophy from '../../art/trophy.svg';
import { rankAmong } from '../../format';
import { decimalsOf } from '../../formatTrimmed';
import { Amount } from '../../ui/Amount';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { cx } from '../../ui/cx';
import { medals } from '../../ui/medals';
import { Screen } from '../../ui/Screen';
import text from '../../ui/text.module.css';
import { Countdown } from '../market/Countdown';
import { useMines } from './Mines';
import styles from './Result.module.css';

/** The result of a tournament that is over, and when the next one begins. */
export const Result = observer(function Result() {
  const { status } = useMines().tournament;
  const { t } = useTranslation();
  if (!status) return null;
  const { result, next_starts_at: next } = status.tournament;
  return (
    <Screen ground="cave" className={styles.screen}>
      <img
        src={(result && result.mcbk > 0 && medals[result.rank - 1]) || trophy}
        alt=""
        className={styles.relic}
      />
      <h1 className={cx(text.title, text.center)}>{t('mines.over')}</h1>
      {result ? <Outcome result={result} /> : <p className={styles.none}>{t('mines.result_none')}</p>}
      {next !== null && (
        <p className={styles.next}>
          <span className={text.over}>{t('mines.result_next')}</span>
          <Countdown until={Date.parse(next)} className={text.numS} />
        </p>
      )}
      <Button height={56} width="full" art={trophy} to="/mines-leaderboard">
        {t('mines.leaderboard')}
      </Button>
      <Button variant="secondary" width="full" icon="rules" to="/mines-rules">
        {t('mines.rules')}
      </Button>
    </Screen>
  );
});

/** How far the payment of a prize is. Coins are given at once, TON is sent by an admin. */
function prizeText({ prize_given, payout }: MineResult) {
  if (!prize_given) return 'mines.result_due';
  if (payout === null || payout === 'settled') return 'mines.result_given';
  return payout === 'cancelled' ? 'mines.result_cancelled' : 'mines.result_owed';
}

const Outcome = observer(function Outcome({ result }: { result: MineResult }) {
  const { user } = useRoot().user;
  const { status } = useMines().tournament;
  const { t } = useTranslation();
  const language = useLanguage();
  const { prize_ton: ton, prize_mcbk: coins } = result;
  const wins = ton > 0 || coins > 0;
  // An approved prize keeps its address.
  const needsWallet = result.payout === null || result.payout === 'due';
  return (
    <Card className={styles.outcome}>
      <div className={styles.place}>
        <span className={text.over}>{t('mines.result_place')}</span>
        <span className={text.numL}>
          {t('home.rank', { rank: rankAmong(result.rank, result.mcbk, language) })}
        </span>
      </div>
      <p className={styles.line}>
        <span>{t('mines.result_ore')}</span>
        <Amount asset="coin" value={result.mcbk} />
      </p>
      <p className={styles.line}>
        <span className={styles.paid}>
          {t('mines.result_paid')}
          {result.doubled && <Badge tone="gold">{`x${status?.rules.daily_factor ?? ''}`}</Badge>}
        </span>
        <Amount asset="coin" value={result.paid_mcbk} />
      </p>
      {wins && (
        <>
          <p className={styles.line}>
            <span>{t('mines.result_prize')}</span>
            <span className={styles.prize}>
              {ton > 0 && <Amount asset="ton" value={ton} decimals={decimalsOf(ton)} />}
              {coins > 0 && <Amount asset="coin" value={coins} trim />}
            </span>
          </p>
          <p className={text.sub}>{t(prizeText(result))}</p>
        </>
      )}
      {ton > 0 && needsWallet && !user?.wallet_proven && (
        <>
          <p className={text.sub}>{t('mines.result_wallet')}</p>
          <Button variant="tertiary" tone="ton" width="full" icon="wallet" to="/wallet">
            {t('mines.wallet')}
          </Button>
        </>
      )}
    </Card>
  );
});
