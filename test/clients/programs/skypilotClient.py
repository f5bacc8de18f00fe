"""Pods and volumes through the modules with which SkyPilot calls this cloud."""
import os

ADDRESS = os.environ["ADDRESS"]
# The SDK that it calls reads this one when it is imported.
os.environ["RUNPOD_API_BASE_URL"] = ADDRESS

import runpod  # noqa: E402
from report import equal, report, until  # noqa: E402
from sky import models  # noqa: E402
from sky.adaptors import runpod as adaptor  # noqa: E402
from sky.catalog.data_fetchers import fetch_runpod  # noqa: E402
from sky.provision import common  # noqa: E402
from sky.provision.runpod import instance, utils, volume  # noqa: E402

# The address of REST v1 is a constant of the module. Nothing else of it is changed.
adaptor._REST_BASE = f"{ADDRESS}/v1"
runpod.api_key = os.environ["KEY"]

IMAGE = os.environ["IMAGE"]
REGION, ZONE = "RO", "EU-RO-1"
CPU = "cpu3c-2-4"
GPU, GPU_INSTANCE = "NVIDIA GeForce RTX 3080", "1x_RTX3080_SECURE"
LOGIN = {"username": "person", "password": "secret", "server": "registry.example"}


def launch(cluster, **more):
    """A head node with only what each cluster has."""
    where = {"instance_type": CPU, "region": REGION, "zone": ZONE, "disk_size": 10, "image_name": IMAGE}
    common_fields = {"ports": [8000], "public_key": "ssh-ed25519 AAAA me", "preemptible": False, "bid_per_gpu": 0.1}
    fields = {**where, **common_fields, "docker_login_config": None, **more}
    return utils.launch(cluster_name=cluster, node_type="head", **fields)


def head_of(cluster):
    return next((one for one in utils.list_instances().values() if one["name"] == f"{cluster}-head"), None)


def until_reached(cluster):
    return until(lambda: head_of(cluster), lambda one: one is not None and "ssh_port" in one)


def launch_and_remove():
    made = launch("single")
    listed = utils.list_instances()[made]
    equal([listed["name"], listed["status"]], ["single-head", "RUNNING"])
    utils.remove(made)
    equal(head_of("single"), None)


def ports():
    made = launch("reached")
    head = until_reached("reached")
    equal(utils.get_ssh_ports("reached"), [head["ssh_port"]])
    endpoints = instance.query_ports("reached", ["8000"])
    assert endpoints[8000][0].port == head["port2endpoint"][8000]["port"], endpoints
    utils.remove(made)


def cluster():
    node = {"InstanceType": CPU, "DiskSize": 10, "ImageId": IMAGE, "PublicKey": "ssh-ed25519 AAAA me"}
    config = common.ProvisionConfig(
        provider_config={"availability_zone": ZONE},
        authentication_config={},
        docker_config={},
        node_config={**node, "Preemptible": False, "BidPerGPU": 0.1},
        count=2,
        tags={},
        resume_stopped_nodes=False,
        ports_to_open_on_launch=None,
    )
    made = instance.run_instances(REGION, "two", "two", config)
    equal(len(made.created_instance_ids), 2)
    info = instance.get_cluster_info(REGION, "two", {})
    equal(info.head_instance_id, made.head_instance_id)
    equal(sorted(info.instances), sorted(made.created_instance_ids))
    statuses = instance.query_instances("two", "two", {})
    equal([status.value for status, _ in statuses.values()], ["UP", "UP"])
    instance.terminate_instances("two", {}, worker_only=True)
    equal(list(instance.query_instances("two", "two", {})), [made.head_instance_id])
    instance.terminate_instances("two", {})
    equal(instance.query_instances("two", "two", {}), {})


def docker_login():
    image, template = utils._create_template_for_docker_login("login", "me/image:1", LOGIN)
    equal(image, "registry.example/me/image:1")
    assert template
    name, credentials = utils.get_registry_auth_resources("login")
    assert credentials, name
    utils.delete_pod_template(name)
    utils.delete_register_auth(credentials)
    equal(utils.get_registry_auth_resources("login"), (None, None))


def volume_config(**more):
    fields = {"name": "sky", "name_on_cloud": "sky-volume", "type": "runpod-network-volume", "cloud": "runpod"}
    return models.VolumeConfig(**fields, region=REGION, zone=ZONE, size="10", config={}, **more)


def volumes():
    config = volume.apply_volume(volume_config())
    assert config.id_on_cloud
    equal(volume.apply_volume(volume_config()).id_on_cloud, config.id_on_cloud)
    equal(volume.get_volume_usedby(config), ([], []))
    volume.delete_volume(config)
    equal(volume._list_volumes(), [])


def mounted_volume():
    config = volume.apply_volume(volume_config())
    made = launch("mounted", network_volume_id=config.id_on_cloud, volume_mount_path="/data")
    equal(volume.get_volume_usedby(config), (["mounted-head"], []))
    utils.remove(made)
    volume.delete_volume(config)


def gpu():
    utils.remove(launch("gpu", instance_type=GPU_INSTANCE))


def spot():
    utils.remove(launch("spot", instance_type=GPU_INSTANCE, preemptible=True))


def gpu_details():
    details = fetch_runpod.get_gpu_details(GPU)
    equal([details["id"], details["memoryInGb"]], [GPU, 10])


def cpu_flavors():
    # The one flavor of an engine is its processor.
    equal([one["id"] for one in fetch_runpod.query_cpu_id("CPU")], ["CPU"])
    assert fetch_runpod.query_cpu_specifics("CPU", CPU)[0]["specifics"]


report(
    {
        "list_instances": lambda: equal(utils.list_instances(), {}),
        "template and credentials of a docker login": docker_login,
        "apply, use, delete_volume": volumes,
        "fetch_runpod: get_gpu_details": gpu_details,
        "fetch_runpod: query_cpu_id, query_cpu_specifics": cpu_flavors,
        "launch, remove": launch_and_remove,
        "get_ssh_ports, query_ports": ports,
        "run, query, terminate_instances, get_cluster_info": cluster,
        "launch with a volume, get_volume_usedby": mounted_volume,
        "launch with a GPU": gpu,
        "launch of a spot instance": spot,
    }
)
