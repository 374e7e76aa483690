export { PreferencesBody, PreferencesView } from './preferences.dto';
export { changePreferences, preferencesOf, type Member } from './preferences.sql';
export type { EventWays, Preferences, PreferencesChange, WaysChange } from './preferences.dto';
