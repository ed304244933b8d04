import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useLanguage } from '../../app/RootContext';
import { formatAmount, fromMicro } from '../../format';
import { Amount } from '../../ui/Amount';
import { Button } from '../../ui/Button';
import { Checkbox } from '../../ui/Checkbox';
import { cx } from '../../ui/cx';
import flex from '../../ui/flex.module.css';
import { Skeleton } from '../../ui/Skeleton';
import text from '../../ui/text.module.css';
import { AmountField } from './AmountField';
import { inTon } from './amount';
import styles from './BuyForm.module.css';
import { CoinPile } from './CoinPile';
import { ForStars } from './ForStars';
import { PayWith } from './PayWith';
import { StarChips } from './StarChips';
import { useTrade } from './Trade';

/** What the pile of coins takes for one TON: it grows with the amounts, not with what they are worth. */
const starsATon = 12.5;
/** Before a figure: it is not exact. */
const about = '≈';

/** How much the player pays, about what it buys, and the way to the payment. */
export const BuyForm = observer(function BuyForm() {
  const { market, orders, connection } = useTrade();
  const { t } = useTranslation();
  return (
    <div className={cx(flex.column, flex.roomy, styles.form)}>
      <PayWith market={market}>{market.inStars ? <StarChips /> : <AmountField />}</PayWith>
      <Brings />
      <Checkbox checked={market.agreed} onChange={(agreed) => market.agree(agreed)}>
        {t('market.agree')}{' '}
        <Link to="/privacy?source=market" className={text.link}>
          {t('age.policy')}
        </Link>
      </Checkbox>
      {!market.needsWallet ? (
        <Button
          height={56}
          {...(!market.inStars && { icon: 'wallet' })}
          loading={orders.buying}
          disabled={!market.canBuy && !orders.buying}
          onPress={() => void market.buy()}
        >
          {market.inStars ? (
            <ForStars words={t('market.buy_for')} stars={market.stars} />
          ) : (
            t('market.buy', { wallet: market.walletApp })
          )}
        </Button>
      ) : (
        <Button
          height={56}
          icon="wallet"
          loading={connection.step === 'opening'}
          onPress={() => market.connect()}
        >
          {t('wallet.connect')}
        </Button>
      )}
    </div>
  );
});

/** Before the order only about: the server computes it with the price of that moment. */
const Brings = observer(function Brings() {
  const { market } = useTrade();
  const { t } = useTranslation();
  const language = useLanguage();
  const { quote: brings, chosen, inStars, pricing } = market;
  const fault = inStars ? null : market.validationError;
  const ton = inStars ? market.stars / starsATon : chosen === null ? 0 : inTon(chosen);
  const closed = pricing === 'paused' || pricing === 'missing';
  return (
    <div className={styles.stage}>
      <div className={cx(flex.line, flex.roomy, styles.brings)}>
        <CoinPile ton={ton} className={styles.pile} />
        {/* By the field stands what is wrong with it. */}
        {fault === null && (
          <div
            className={cx(flex.column, styles.figures)}
            role={closed ? 'status' : undefined}
            aria-busy={pricing === 'awaited'}
          >
            <span className={text.over}>{t('market.get')}</span>
            {closed && (
              <span className={styles.paused}>
                {t(pricing === 'paused' ? 'market.paused' : 'errors.price_unavailable')}
              </span>
            )}
            {pricing === 'awaited' && <Skeleton width={140} height={28} />}
            {brings && (
              <>
                <span className={cx(flex.line, styles.about)}>
                  <span className={text.numM}>{about}</span>
                  <Amount asset="coin" value={fromMicro(brings.coins)} size="m" trim />
                </span>
                <span className={text.over}>${formatAmount(brings.usd, 2, language)}</span>
              </>
            )}
          </div>
        )}
      </div>
    </div>
  );
});
