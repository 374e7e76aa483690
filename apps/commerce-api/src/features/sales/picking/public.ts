export { isCountable, pickingFor, type Found, type PickedLine, type Picking, type PickingParts } from './picking';
export { pickingTexts } from './picking.texts';
export { lineFields, linesTyped, looksForGoods, pickedTyped, textOf, type TypedLine } from './picking.typed';
export { Picker } from './picking.view';
