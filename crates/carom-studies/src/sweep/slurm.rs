//! Writes a job script for arrays of Slurm.

/// Returns a script with `tasks` tasks, each of which does a shard. `command` is the command of the sweep, from `carom` on,
/// without `-o` and `--shard`, with its words quoted for a shell. Runs that the time limit cut off are continued when the
/// script is submitted again.
pub fn slurm_script(command: &str, folder: &str, tasks: usize) -> String {
    let name = folder.rsplit('/').find(|part| !part.trim_matches('\'').is_empty()).unwrap_or("sweep");
    let name = name.trim_matches('\'');
    format!(
        "\
#!/bin/bash
#SBATCH --job-name={name}
#SBATCH --array=1-{tasks}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=8
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@60
#SBATCH --output={name}-%a.log
#
#   sbatch sweep.sh                          runs all tasks; again: goes on where they were cut off
#   carom sweep merge {folder}/shard-* -o {folder}
#                                            afterwards: one table, {folder}/table.csv
set -euo pipefail
shard=\"$SLURM_ARRAY_TASK_ID\"
exec {command} \\
  -o {folder}/\"shard-$shard-of-{tasks}\" --shard \"$shard/{tasks}\" --jobs \"${{SLURM_CPUS_PER_TASK:-1}}\" --quiet
"
    )
}
