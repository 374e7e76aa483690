export { widgetEndpoints } from './widget.endpoints';
