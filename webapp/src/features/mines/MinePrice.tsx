import { useTranslation } from 'react-i18next';
import type { MineLevel } from '../../api/types';
import { useLanguage } from '../../app/RootContext';
import star from '../../art/star.svg';
import ton from '../../art/ton.svg';
import { formatInteger } from '../../format';
import { formatTrimmed } from '../../formatTrimmed';
import { useMines } from './Mines';

/** Where no price is known. */
const unknown = '…';

/** What mines cost as the player pays: in words, and `short` beside the picture. In Stars about: the server has the price of the moment. */
export function useMinePrice() {
  const { purchase } = useMines();
  const { t } = useTranslation();
  const language = useLanguage();
  return (mine: Pick<MineLevel, 'cost'>) => {
    if (!purchase.inStars) {
      const words = t('mines.cost', { ton: formatTrimmed(mine.cost, language) });
      return { art: ton, words, short: words };
    }
    const stars = purchase.starsFor(mine);
    if (stars === null) return { art: star, words: unknown, short: unknown };
    return {
      art: star,
      words: t('mines.about', { price: t('market.stars', { stars: formatInteger(stars, language) }) }),
      short: t('mines.about', { price: formatInteger(stars, language) }),
    };
  };
}
