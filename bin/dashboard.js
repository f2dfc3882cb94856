// Builds the dashboard if it is not there, or is older than its sources.
import { ensureDashboard } from './bundled-node.js';

ensureDashboard();
