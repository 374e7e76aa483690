export { FileLinks, type Shows } from './file.links';
export { holderNow, PrivateFiles, type Holders } from './private.files';
