// What other features of this app may use.
export { doorway, type AccessRepository, type Doorway } from './access.repository';
export { knownBy, type ChatFinder } from './chat.finder';
export type { DeviceDirectory, DeviceRoute } from './device.directory';
export { hearers, hearersOf } from './hearers.sql';
export { actorRefusals, chatRefusals, refusals, teamRefusals } from './refusals';
export {
  answerable,
  anyDevice,
  asks,
  homeTeam,
  isOf,
  requireStore,
  scopeOf,
  seesGroups,
  sightOf,
  visible,
  type Scope,
} from './scope';
