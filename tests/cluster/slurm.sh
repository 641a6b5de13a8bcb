#!/usr/bin/env bash
# A Slurm for tests on this machine, as root, without systemd; everything is below DIR.
#   slurm.sh up DIR [NODES=4] [CPUS=1] [GPUS=2]   then: . DIR/env
#   slurm.sh node DIR NAME    start one node again
#   slurm.sh kill DIR NAME    lose one node: slurmd and all its tasks at once, as a power cut does
#   slurm.sh down DIR
# A node is a slurmd in a UTS and a PID namespace of its own, so that nodes have host names. Needs the packages
# slurmctld, slurmd, slurm-client and munge.
set -euo pipefail
verb=$1 root=$(realpath -m "$2")
node() {
  mkdir -p "$root/spool.$1"
  setsid unshare --uts --pid --fork --kill-child --mount-proc bash -c \
    "hostname $1; slurmd -N $1 -D & trap 'kill \$!' TERM; wait; wait" < /dev/null > "$root/log/node.$1.log" 2>&1 &
  echo $! > "$root/node.$1.pid"
}
end() { # PIDFILE [SIGNAL]
  [ ! -s "$1" ] || { kill "-${2:-TERM}" "$(cat "$1")" 2> /dev/null || true; rm -f "$1"; }
}
case $verb in
  node) # shellcheck disable=SC1091
    . "$root/env"
    node "$3"
    exit ;;
  kill)
    end "$root/node.$3.pid" KILL
    exit ;;
  down)
    for file in "$root"/node.*.pid; do end "$file" KILL; done
    end "$root/slurmctld.pid"
    end "$root/munged.pid"
    exit ;;
esac
nodes=${3:-4} cpus=${4:-1} gpus=${5:-2} host=$(hostname -s) port=${SLURM_TEST_PORT:-17817}
mkdir -p "$root"/{state,log,munge,dev}
chmod 755 "$root"
chmod 711 "$root/munge"
chmod 700 "$root/state"
[ -s "$root/munge/key" ] || (umask 077 && head -c 128 /dev/urandom > "$root/munge/key")
munged --num-threads=2 --key-file="$root/munge/key" --socket="$root/munge/sock" --pid-file="$root/munged.pid" \
  --log-file="$root/log/munged.log" --seed-file="$root/munge/seed" # returns when it serves
types='' gres=''
: > "$root/gres.conf"
: > "$root/plugstack.conf"
: > "$root/cgroup.conf"
# Tasks of who sets SLURM_TEST_DELAY take that many seconds longer, so that faults meet them.
printf '#!/bin/sh\nsleep "${SLURM_TEST_DELAY:-0}"\n' > "$root/prolog"
chmod 755 "$root/prolog"
if [ "$gpus" -gt 0 ]; then
  types=GresTypes=gpu gres=Gres=gpu:$gpus
  for gpu in $(seq 0 $((gpus - 1))); do
    [ -e "$root/dev/nvidia$gpu" ] || mknod "$root/dev/nvidia$gpu" c 1 3 # as /dev/null
  done
  echo "Name=gpu File=$root/dev/nvidia[0-$((gpus - 1))]" > "$root/gres.conf"
fi
cat > "$root/slurm.conf" << CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$root/munge/sock,cred_expire=5
StateSaveLocation=$root/state
SlurmdSpoolDir=$root/spool.%n
SlurmctldPidFile=$root/slurmctld.pid
SlurmdPidFile=$root/spool.%n/slurmd.pid
SlurmctldLogFile=$root/log/slurmctld.log
SlurmdLogFile=$root/log/slurmd.%n.log
PlugStackConfig=$root/plugstack.conf
TaskProlog=$root/prolog
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$root/jobcomp.txt
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=10000,bf_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
SlurmdTimeout=5
KillWait=1
MessageTimeout=5
MinJobAge=3600
MaxArraySize=1001
$types
NodeName=DEFAULT CPUs=$cpus RealMemory=1000 State=UNKNOWN $gres
$(for i in $(seq "$nodes"); do echo "NodeName=n$i NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + i))"; done)
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
echo "export SLURM_CONF=$root/slurm.conf" > "$root/env"
# shellcheck disable=SC1091
. "$root/env"
slurmctld -i
for i in $(seq "$nodes"); do node "n$i"; done
for _ in $(seq 400); do
  [ "$(sinfo -h -N -o %T 2> /dev/null | grep -c '^idle$')" = "$nodes" ] && exit 0
  sleep 0.05
done
echo 'slurm.sh: the nodes did not come up' >&2
sinfo -N -l >&2
tail -n 5 "$root"/log/*.log >&2
exit 1
