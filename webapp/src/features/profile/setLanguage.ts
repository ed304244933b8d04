import type { RootStore } from '../../app/RootStore';
import type { Language } from '../../format';

/** Loads the texts even if the language is the same: they may have failed to load before. */
export async function setLanguage(root: RootStore, language: Language): Promise<void> {
  if (!(await root.user.change({ language })) || (await root.platform.speak(language))) return;
  root.toasts.show('error', 'errors.offline');
}
