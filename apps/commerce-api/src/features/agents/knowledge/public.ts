export { NewKnowledge } from './knowledge.dto';
export { KNOWLEDGE_LIMIT, knowledgeEndpoints } from './knowledge.endpoints';
export { KnowledgeService } from './knowledge.service';
