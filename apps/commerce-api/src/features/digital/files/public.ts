export { DigitalFile } from './files.dto';
export { DigitalFiles, filesOf, type FileViewer } from './files';
