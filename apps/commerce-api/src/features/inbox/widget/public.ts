export { widgetEndpoints } from './widget.endpoints';
export { widgetFace } from './widget.sql';
