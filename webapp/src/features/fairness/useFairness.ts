import { perRoot } from '../../app/perRoot';
import { useRoot } from '../../app/RootContext';
import { FairnessStore } from './FairnessStore';

export const fairnessOf = perRoot((root) => new FairnessStore(root.api, root.toasts, root.platform));

export const useFairness = () => fairnessOf(useRoot());
