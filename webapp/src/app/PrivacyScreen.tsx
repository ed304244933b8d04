import { observer } from 'mobx-react-lite';
import { Privacy } from '../features/privacy/Privacy';
import { useRoot } from './RootContext';

const PrivacyScreen = observer(function PrivacyScreen() {
  const root = useRoot();
  return <Privacy accepting={root.user.saving} onAccept={() => root.acceptPrivacy()} />;
});

export default PrivacyScreen;
