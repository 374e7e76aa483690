export { changeWays, WaysEdit, waysOf, type WaysShown } from './ways';
export { waysTexts } from './ways.texts';
export { WaysForm } from './ways.view';
export { deviceActions, deviceConflicts } from './devices';
export { DevicesForms, TellHere } from './devices.view';
