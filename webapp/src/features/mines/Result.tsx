import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { MineResult } from '../../api/types';
import { useLanguage, useRoot } from '../../app/RootContext';
import coin from '../../art/coin.svg';
import trophy from '../../art/trophy.svg';
import { rankAmong } from '../../format';
import { decimalsOf } from '../../formatTrimmed';
import { Amount } from '../../ui/Amount';
import { Badge } from '../../ui/Badge';
import { Burst } from '../../ui/Burst';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { cx } from '../../ui/cx';
import flex from '../../ui/flex.module.css';
import { medals } from '../../ui/medals';
import { Screen } from '../../ui/Screen';
import text from '../../ui/text.module.css';
import { celebrate } from '../../ui/useCelebration';
import { Countdown } from '../market/Countdown';
import { CardButton } from '../recap/CardButton';
import { useMines } from './Mines';
import styles from './Result.module.css';
import { hasPrize } from './Tournament';

/** When the medal lands, milliseconds. */
const landedMs = 300;

/** The result of a tournament that is over, and when the next one begins. */
export const Result = observer(function Result() {
  const { tournament } = useMines();
  const { status } = tournament;
  const { t } = useTranslation();
  useEffect(() => {
    if (tournament.celebrates()) celebrate('huge', [coin], landedMs);
  }, [tournament]);
  if (!status) return null;
  const { result, next_starts_at: next } = status.tournament;
  const relic = (result && result.mcbk > 0 && medals[result.rank - 1]) || trophy;
  return (
    <Screen ground="cave">
      {result && hasPrize(result) ? (
        <Won result={result} relic={relic} />
      ) : (
        <>
          <img src={relic} alt="" className={styles.relic} />
          <h1 className={cx(text.title, text.center)}>{t('mines.over')}</h1>
        </>
      )}
      {result ? <Outcome result={result} /> : <p className={styles.none}>{t('mines.result_none')}</p>}
      {next !== null && (
        <p className={cx(flex.line, styles.next)}>
          <span className={text.over}>{t('mines.result_next')}</span>
          <Countdown until={Date.parse(next)} className={text.numS} />
        </p>
      )}
      {result && result.mcbk > 0 && <CardButton of="tournament" />}
      <Button
        variant={result && result.mcbk > 0 ? 'secondary' : 'primary'}
        height={56}
        art={trophy}
        to="/mines-leaderboard"
      >
        {t('mines.leaderboard')}
      </Button>
      <Button variant="secondary" width="full" icon="rules" to="/mines-rules">
        {t('mines.rules')}
      </Button>
    </Screen>
  );
});

/** What the player has won, and with which place. */
function Won({ result, relic }: { result: MineResult; relic: string }) {
  const { t } = useTranslation();
  const { rank, prize_ton: ton, prize_mcbk: coins } = result;
  return (
    <>
      <Burst tone="gold" picture={relic} size="huge" inset />
      <div className={cx(flex.column, text.center)}>
        <span className={text.over}>{t('mines.over')}</span>
        <h1 className={text.title}>{t(rank === 1 ? 'mines.result_won' : 'mines.result_won_prize')}</h1>
        <p className={cx(flex.line, styles.prize)}>
          {ton > 0 && <Amount asset="ton" value={ton} decimals={decimalsOf(ton)} size="l" />}
          {coins > 0 && <Amount asset="coin" value={coins} size="l" signed trim />}
        </p>
      </div>
    </>
  );
}

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
  const { prize_ton: ton } = result;
  // An approved prize keeps its address.
  const needsWallet = result.payout === null || result.payout === 'due';
  return (
    <Card className={cx(flex.column, flex.roomy)}>
      <div className={cx(flex.column, styles.place)}>
        <span className={text.over}>{t('mines.result_place')}</span>
        <span className={text.numL}>
          {t('home.rank', { rank: rankAmong(result.rank, result.mcbk, language) })}
        </span>
      </div>
      <p className={cx(flex.between, flex.roomy, styles.line)}>
        <span>{t('mines.result_ore')}</span>
        <Amount asset="coin" value={result.mcbk} />
      </p>
      <p className={cx(flex.between, flex.roomy, styles.line)}>
        <span className={flex.line}>
          {t('mines.result_paid')}
          {result.doubled && <Badge tone="gold">{`x${status?.rules.daily_factor ?? ''}`}</Badge>}
        </span>
        <Amount asset="coin" value={result.paid_mcbk} />
      </p>
      {hasPrize(result) && <p className={text.sub}>{t(prizeText(result))}</p>}
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
