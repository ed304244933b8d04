import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import type { PastSpin, RetiredSeed } from '../../api/types';
import { useLanguage } from '../../app/RootContext';
import { formatInteger, type Language } from '../../format';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import flex from '../../ui/flex.module.css';
import { Icon } from '../../ui/Icon';
import { Row } from '../../ui/List';
import text from '../../ui/text.module.css';
import { Copied } from './Copied';
import { keyOf } from './FairnessStore';
import styles from './PastSeed.module.css';
import { prizeOf, wonWords } from './prizes';
import { useFairness } from './useFairness';
import { type SpinVerdict, sound, type Verdict } from './verdict';

/** A retired seed: pressed, it shows its spins and what came of checking them. */
export const PastSeed = observer(function PastSeed({ seed }: { seed: RetiredSeed }) {
  const fairness = useFairness();
  const { t } = useTranslation();
  const language = useLanguage();
  const open = fairness.open.has(keyOf(seed));
  const verdict = fairness.verdicts.get(keyOf(seed));
  const date = dateOf(seed.retired_at, language);
  const words = open
    ? { short: t('fairness.hide'), long: t('fairness.hide_of', { date }) }
    : verdict || !fairness.canCheck
      ? { short: t('fairness.show'), long: t('fairness.show_of', { date }) }
      : { short: t('fairness.check'), long: t('fairness.check_of', { date }) };
  return (
    <>
      <Row
        title={date}
        note={
          <span className={cx(flex.line, styles.note)}>
            {t('fairness.count', { count: seed.spins.length })}
            {verdict && <Mark fair={sound(verdict)} />}
          </span>
        }
        end={
          <Button
            variant="secondary"
            height={40}
            label={words.long}
            onPress={() => void fairness.check(seed)}
          >
            {words.short}
          </Button>
        }
      />
      {open && (
        <div className={cx(flex.column, flex.roomy, styles.inside)}>
          {verdict && <Result verdict={verdict} spins={seed.spins.length} />}
          <ul role="list" className={styles.seeds}>
            <Copied label={t('fairness.server')} value={seed.server_seed} />
            <Copied label={t('fairness.server_hash')} value={seed.server_seed_hash} />
            <Copied label={t('fairness.client_then')} value={seed.client_seed} />
          </ul>
          {seed.spins.length > 0 && (
            <ol role="list" aria-label={t('fairness.spins')}>
              {seed.spins.map((spin, n) => (
                <Spin key={spin.spin_id} spin={spin} verdict={verdict?.spins[n]} />
              ))}
            </ol>
          )}
        </div>
      )}
    </>
  );
});

function Mark({ fair }: { fair: boolean }) {
  const { t } = useTranslation();
  return (
    <Badge tone={fair ? 'moss' : 'brick'} icon={fair ? 'check' : 'warning'}>
      {t(fair ? 'fairness.fair' : 'fairness.unfair')}
    </Badge>
  );
}

/** What came of it, in a sentence for each thing that may be wrong. */
function Result({ verdict, spins }: { verdict: Verdict; spins: number }) {
  const { t } = useTranslation();
  const fair = sound(verdict);
  const wrong = verdict.spins.filter(({ matches }) => !matches).length;
  const words = [
    ...(fair && spins > 0 ? [t('fairness.sound', { count: spins })] : []),
    ...(fair && spins === 0 ? [t('fairness.sound_unused')] : []),
    ...(verdict.hash ? [] : [t('fairness.wrong_hash')]),
    ...(wrong > 0 ? [t('fairness.wrong_spins', { count: wrong }), t('fairness.odds_note')] : []),
    ...(verdict.complete ? [] : [t('fairness.wrong_gap')]),
  ];
  return (
    <div role="status" className={cx(styles.result, fair ? styles.fair : styles.unfair)}>
      <Icon name={fair ? 'done' : 'warning'} size={20} />
      <div>
        {words.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </div>
  );
}

type SpinProps = { spin: PastSpin; verdict: SpinVerdict | undefined };

function Spin({ spin, verdict }: SpinProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <li className={styles.spin}>
      <span className={cx(flex.line, styles.line)}>
        <span className={styles.nonce}>
          {t('fairness.nonce_of', { nonce: formatInteger(spin.nonce, language) })}
        </span>
        <img src={prizeOf(spin.chest_type ?? spin.type).art} alt="" width={22} height={22} />
        <span className={cx(flex.line, styles.won)}>
          {wonWords(t, spin)}
          {spin.is_golden && <Badge tone="gold">{t('fairness.golden')}</Badge>}
        </span>
        {verdict?.matches && (
          <span className={styles.match}>
            <Icon name="check" size={18} />
            <span className={text.unseen}>{t('fairness.matches')}</span>
          </span>
        )}
        {verdict && !verdict.matches && (
          <span className={styles.wrong}>
            <Icon name="warning" size={18} />
          </span>
        )}
      </span>
      {verdict && !verdict.matches && <Mismatch spin={spin} verdict={verdict} />}
    </li>
  );
}

function Mismatch({ spin, verdict: { rolls, outcome } }: { spin: PastSpin; verdict: SpinVerdict }) {
  const { t } = useTranslation();
  const [wheel, chest] = rolls;
  return (
    <span className={styles.mismatch}>
      {t('fairness.mismatch', {
        told: wonWords(t, spin),
        segment: spin.segment,
        roll: outcome.chest_type === undefined ? wheel : `${wheel}, ${chest}`,
        prize: wonWords(t, outcome),
        right: outcome.segment,
      })}
    </span>
  );
}

/** Days and times are UTC, by which seeds are retired. */
function dateOf(moment: string, language: Language): string {
  return new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  }).format(new Date(moment));
}
