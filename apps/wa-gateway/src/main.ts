import 'reflect-metadata';
import { runProgram } from '@platform/http';
import { program } from './app';

runProgram(program);
