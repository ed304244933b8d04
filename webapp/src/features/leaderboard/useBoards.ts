import { perRoot } from '../../app/perRoot';
import { useRoot } from '../../app/RootContext';
import { Boards } from './Boards';

export const boardsOf = perRoot((root) => new Boards(root));

export const useBoards = () => boardsOf(useRoot());
