export { inForce } from './settings.service';
export { stockDefaults } from './settings.dto';
export { settingGroupNames, settingGroups, type SettingGroup } from './settings.dto';
export { SettingsService, type SettingsParts } from './settings.service';
