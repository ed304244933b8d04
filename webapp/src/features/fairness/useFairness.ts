import { perRoot } from '../../app/perRoot';
import { useRoot } from '../../app/RootContext';
import { FairnessStore } from './FairnessStore';

export const fairnessOf = perRoot((root) => new FairnessStore(root));

export const useFairness = () => fairnessOf(useRoot());
