export { positions, WidgetChange, type Widget } from './widget.dto';
export { widgetEndpoints } from './widget.endpoints';
export { changeWidget, widgetFace } from './widget.sql';
