import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage, useRoot } from '../../app/RootContext';
import bolt from '../../art/high-voltage.svg';
import { formatInteger } from '../../format';
import { Burst, BurstPieces } from '../../ui/Burst';
import { Button } from '../../ui/Button';
import { HeroAmount } from '../../ui/HeroAmount';
import { Modal } from '../../ui/Modal';
import text from '../../ui/text.module.css';
import { celebrate, useCelebration } from '../../ui/useCelebration';
import { levels } from './energyLevels';

const energyOf = (level: number) => levels.find((one) => one.level === level)?.energy ?? 0;

/** Spec §3: a level of energy was reached, and what it brings. */
export const LevelModal = observer(function LevelModal() {
  const { modals, route } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  const shown = modals.shown?.is === 'level' ? modals.shown.level : null;
  // While it leaves, the modal shows its last content.
  const [level, setLevel] = useState(shown);
  if (shown !== null && shown !== level) setLevel(shown);
  const still = useCelebration(shown, () => celebrate('huge', [bolt])) === level;
  if (level === null) return null;
  const [energy, before] = [energyOf(level), energyOf(level - 1)];
  return (
    <Modal
      open={shown !== null}
      onClose={() => modals.close('level')}
      relic={<BurstPieces picture={bolt} size="huge" still={still} />}
      head={<Burst tone="ember" picture={bolt} size="huge" />}
      title={t('tap.level_up', { level })}
      text={t('tap.level_up_text', {
        count: energy - before,
        more: formatInteger(energy - before, language),
      })}
      actions={
        <>
          <Button
            height={56}
            onPress={() => {
              modals.close('level');
              route.go('/tap');
            }}
          >
            {t('home.bag')}
          </Button>
          <Button variant="quaternary" width="full" onPress={() => modals.close('level')}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      <div>
        <HeroAmount value={energy} decimals={0} countUp from={before} center />
        <span className={text.over}>{t('tap.level_up_energy')}</span>
      </div>
    </Modal>
  );
});
