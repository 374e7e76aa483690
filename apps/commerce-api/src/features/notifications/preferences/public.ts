export { PreferencesBody, PreferencesView } from './preferences.dto';
export { changePreferences, preferencesOf, type Member } from './preferences.sql';
export { changeWays, WaysEdit, waysOf, type WaysShown } from './ways';
export { waysTexts } from './ways.texts';
export { WaysForm } from './ways.view';
