export { colourIn, Painter, PICTURE_SIDE, type Drawing } from './drawings';
