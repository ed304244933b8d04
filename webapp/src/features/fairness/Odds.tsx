import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../app/RootContext';
import { cx } from '../../ui/cx';
import { splitNumber } from '../../ui/figures';
import flex from '../../ui/flex.module.css';
import text from '../../ui/text.module.css';
import styles from './Odds.module.css';
import { prizeOf } from './prizes';

type Props = {
  title: string;
  /** In the order of the table, by which rolls fall. */
  odds: readonly { readonly type: string; readonly weight: number }[];
};

/** What there is to be won, by which rolls and how likely. */
export function Odds({ title, odds }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const sum = odds.reduce((all, { weight }) => all + weight, 0);
  let from = 0;
  const rows = odds.map(({ type, weight }) => {
    const { integer, decimals } = splitNumber((100 * weight) / sum, 2, language, true);
    const row = {
      type,
      rolls: range(from, weight),
      chance: t('fairness.percent', { value: integer + decimals }),
    };
    from += weight;
    return row;
  });
  return (
    <section>
      <h2 className={text.head}>{title}</h2>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('fairness.prize')}</th>
            <th scope="col">{t('fairness.roll')}</th>
            <th scope="col">{t('fairness.chance')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ type, rolls, chance }) => (
            <tr key={type}>
              <th scope="row">
                <span className={cx(flex.line, flex.roomy)}>
                  <img src={prizeOf(type).art} alt="" width={26} height={26} />
                  {prizeOf(type).words(t)}
                </span>
              </th>
              <td className={text.sub}>{rolls}</td>
              <td className={text.numS}>{chance}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The rolls that fall on a place, such as "6–15". */
function range(from: number, weight: number): string {
  const to = from + weight - 1;
  if (weight === 0) return '';
  return weight === 1 ? String(from) : `${from}–${to}`;
}
