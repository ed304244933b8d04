import { useTranslation } from 'react-i18next';

/** A character that shows something: `game/names.go` has the same rule. */
const visible = /[^\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]/u;

export const firstVisible = (name: string): string | undefined => visible.exec(name)?.[0];

/** How a player is called: by a substitute where nothing of the name can be seen. */
export function useVisibleName(name: string): string {
  const { t } = useTranslation();
  return firstVisible(name) === undefined ? t('common.player') : name;
}
